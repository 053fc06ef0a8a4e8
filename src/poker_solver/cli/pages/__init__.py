"""What the terminal shows and what files hold of a node: text, colours, pictures, tables."""
