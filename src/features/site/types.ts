/** GET /api/site: public settings of the operator. */
export interface SiteView {
  /** Support address. */
  supportEmail: string
}
