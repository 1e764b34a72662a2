export interface SiteView {
  supportEmail: string
}
