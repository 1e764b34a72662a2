/**
 * Stands in what the build makes where the server's own address (PUBLIC_URL) belongs, which only a
 * running server knows.
 */
export const publicAddress = 'https://public-url.invalid'
