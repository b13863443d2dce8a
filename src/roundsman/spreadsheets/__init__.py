"""Stops out of CSV and XLSX files, row by row."""
