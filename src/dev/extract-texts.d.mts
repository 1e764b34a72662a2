/** Extracts the texts of the sources into the folder; throws with what the extractor says. */
export function extractTexts(folder: string): Promise<void>
