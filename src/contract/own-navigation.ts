/**
 * `Server-Timing` value for navigations from this site (Sec-Fetch-Site). Only the navigation
 * request shows that, so the page cannot ask for it later.
 */
export const ownNavigation = 'own-navigation'
