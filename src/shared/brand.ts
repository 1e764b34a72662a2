export const brandName = 'Rupa'
