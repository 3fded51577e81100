"""A table that stays where it is: what the server's owner allows, opening it, counting in it."""
