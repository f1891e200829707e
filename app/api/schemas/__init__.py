"""What goes in and what comes out, as pydantic models; split by duty."""
