/**
 * Placeholder in the build for the server's own address (PUBLIC_URL), which only a running server
 * knows.
 */
export const publicAddress = 'https://public-url.invalid'
