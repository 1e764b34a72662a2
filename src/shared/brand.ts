export const brandName = 'Rupa'

/** Placeholder in the build for PUBLIC_URL, which only a running server knows. */
export const publicUrlPlaceholder = 'https://public-url.invalid'
