/**
 * A fifth of all modules of the server, loaded on the first use of a passkey so that the server
 * starts sooner.
 */
export const passkeyLibrary = () => import('@simplewebauthn/server')
