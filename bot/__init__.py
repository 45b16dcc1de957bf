"""Kuis: one quiz engine for every chat a study group lives in."""
