/** 0 to 11: files are compressed once and downloaded by every phone. */
export const brotliQuality = 11
