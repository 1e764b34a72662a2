/**
 * What the server tells a page by `Server-Timing` when no other site led the person to it
 * (Sec-Fetch-Site). Only the navigation itself shows that, so the page cannot ask for it later.
 */
export const ownNavigation = 'own-navigation'
