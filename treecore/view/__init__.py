"""What makes a tree ready to be drawn, wherever it is: in the app, in a notebook."""
