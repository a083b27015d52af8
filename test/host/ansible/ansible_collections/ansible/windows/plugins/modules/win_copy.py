# Its action does all.
