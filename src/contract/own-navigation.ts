/**
 * Value of `Server-Timing` when the navigation did not come from another site (Sec-Fetch-Site).
 * Only the navigation request shows that, so the page cannot ask for it later.
 */
export const ownNavigation = 'own-navigation'
