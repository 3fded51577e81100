"""What any page shows: formulas, tables, messages, text from data."""
