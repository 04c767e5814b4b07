"""What a report looks like: light, dark, on a phone and in print."""

OPACITY = 0.42  # of colours behind words: the ink keeps its contrast on every one of them

CSS = """
:root { color-scheme: light dark; --ink: #1a2230; --quiet: #4a5568; --ground: #fff; --line: #c8d0dc; --card: #f6f8fb;
  --warn: #fff4e0; --edge: #a15c00 }
@media (prefers-color-scheme: dark) { :root { --ink: #e6ebf4; --quiet: #b4bfd0; --ground: #10151f; --line: #3a4558;
  --card: #182030; --warn: #33260f; --edge: #e0a040 } }
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 62rem; padding: 1.2rem; background: var(--ground); color: var(--ink);
  font: 1rem/1.5 system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; overflow-wrap: anywhere }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 .4rem }
h2 { font-size: 1.25rem; margin: 2.2rem 0 .5rem; padding-top: .6rem; border-top: 1px solid var(--line) }
h3 { font-size: 1rem; line-height: 1.3; margin: 1rem 0 .3rem }
.card h3 { margin-top: 0 }
p, ul { margin: .4rem 0; max-width: 46rem }
.quiet, caption, figcaption { color: var(--quiet); font-size: .92rem }
.note { background: var(--warn); border-left: 4px solid var(--edge); padding: .5rem .8rem; margin: .8rem 0 }
.cards { display: grid; gap: .8rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 17.5rem), 1fr)) }
.card { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: .7rem .8rem;
  break-inside: avoid }
.letter { display: inline-block; min-width: 1.6em; text-align: center; border-radius: .8em; margin-right: .4em;
  print-color-adjust: exact }
.words { list-style: none; margin: .4rem 0 0; padding: 0 }
.words li { display: grid; grid-template-columns: 1fr auto; column-gap: .6rem; position: relative; padding: 0 .3rem;
  margin: 2px 0 }
.words span { position: relative; z-index: 1 }
.words .chance { color: var(--ink); font-size: .85rem; font-variant-numeric: tabular-nums }
.bar { position: absolute; inset: 0; width: 100%; height: 100% }
.whisker { stroke: #808080; stroke-width: 1.4; vector-effect: non-scaling-stroke }
figure { margin: .6rem 0; break-inside: avoid }
.map { width: 100%; height: auto; border: 1px solid var(--line); border-radius: .5rem; background: var(--card) }
.map circle { fill-opacity: .42; stroke-width: 1.5 }
.map text { fill: var(--ink); font-size: 22px; font-weight: 600; text-anchor: middle; dominant-baseline: central }
.legend { columns: 15rem; padding: 0; list-style: none; max-width: none }
.wide { overflow-x: auto; position: relative }
table { border-collapse: collapse; font-size: .92rem; margin: .5rem 0 }
caption { text-align: left; padding-bottom: .3rem }
th, td { text-align: left; padding: .25rem .9rem .25rem 0; border-bottom: 1px solid var(--line);
  vertical-align: top; overflow-wrap: normal }
thead th { white-space: nowrap }
tbody th { font-weight: 600 }
@media print { :root { color-scheme: light; --ink: #000; --quiet: #333; --ground: #fff; --line: #999; --card: #fff;
  --warn: #fff } body { max-width: none; padding: 0; font-size: 10.5pt } h2 { break-after: avoid }
  .wide { overflow: visible } thead th { white-space: normal } .cards { grid-template-columns: 1fr 1fr }
  tr { break-inside: avoid } }
"""
