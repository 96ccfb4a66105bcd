filter a = end tick notick;
filter b = tick;
