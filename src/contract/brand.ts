/** The product's name. The manifest and every text take it from here. */
export const brandName = 'Rupa'
