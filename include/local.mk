# What users include. nfart_status.h stands alone; everything in the tree may include it.
include_HEADERS += include/nfart.h include/nfart_status.h
