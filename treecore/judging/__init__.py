"""In what trees are judged: one registry of measures, of single answers and of whole rankings."""
