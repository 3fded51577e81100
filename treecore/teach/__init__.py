"""Teaching: worked examples of lecture notes, guessing games, and exercise sheets with their keys."""
