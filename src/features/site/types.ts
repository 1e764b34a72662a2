/** GET /api/site: what the operator has set and everybody may know. */
export interface SiteView {
  /** Where people ask for help. */
  supportEmail: string
}
