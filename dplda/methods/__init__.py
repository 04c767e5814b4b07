"""All methods that find topics; ``registry`` lists them."""
