"""What all sessions share: results that are kept, work that takes long, who is let in."""
