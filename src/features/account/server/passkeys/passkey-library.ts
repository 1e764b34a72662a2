/** A fifth of all modules of the server, so load it on the first use. */
export const passkeyLibrary = () => import('@simplewebauthn/server')
