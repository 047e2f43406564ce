"""Fall of the Führer: a hidden walk through a lit map (rules in docs/rules/fall-of-the-fuhrer.md)."""
