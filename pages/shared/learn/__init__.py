"""The parts of the pages under Learn, but for Guess."""
