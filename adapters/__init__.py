"""Adapters: everything that touches the world; they never import one another."""
