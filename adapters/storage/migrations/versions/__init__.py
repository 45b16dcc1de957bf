"""One file a revision; `schema.REVISIONS` lists them in order."""
