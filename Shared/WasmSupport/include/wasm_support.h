// Nothing is called by name: these are the functions that compiled Swift asks for.
