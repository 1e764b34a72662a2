/**
 * `Server-Timing` value; only the navigation request has Sec-Fetch-Site, so the page cannot ask
 * later.
 */
export const ownNavigation = 'own-navigation'
