/** The product's name, used by the manifest and all texts. */
export const brandName = 'Rupa'
