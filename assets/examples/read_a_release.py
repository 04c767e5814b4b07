"""Use a released file as a model: topics, shares of new documents, other packages."""

import sys

import dplda

model = dplda.open_release(sys.argv[1])
print(model.guarantee_.in_words())
for number, words in enumerate(model.leading_words(5), start=1):
    print(f"Topic {number}:", ", ".join(words))
new_documents = [list(model.vocabulary_[:3]), list(model.vocabulary_[3:6])]
counts = [[document.count(word) for word in model.vocabulary_] for document in new_documents]
print(model.transform(counts).round(2))
scikit_learn_model = model.to_sklearn()
print(scikit_learn_model.components_.shape)
