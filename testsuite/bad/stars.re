filter f = MREQ_RLD* Any(MRSP_VIC*) Any(MREQ_RLDD*);
