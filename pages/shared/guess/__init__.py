"""The parts of the page Guess: what was guessed, the games, and what is told afterwards."""
