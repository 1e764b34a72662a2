import type { ReadConfig } from '#server/config.ts'
import { isEmail } from '#shared/credentials.ts'

declare module '#server/config.ts' {
  interface FeatureConfig {
    site: SiteConfig
  }
}

/** Shown on public pages; null for SUPPORT_EMAIL, or to leave the entry out. */
interface SiteConfig {
  dataOfficer: { name: string | null; email: string | null }
  /** Registration as an electronic system provider (PSE) at Indonesia's ministry. */
  pseNumber: string | null
  complaints: { email: string | null; phone: string | null }
}

export const readSiteConfig: ReadConfig<SiteConfig> = (read) => {
  const emails = { DATA_OFFICER_EMAIL: read('DATA_OFFICER_EMAIL'), COMPLAINTS_EMAIL: read('COMPLAINTS_EMAIL') }
  for (const [name, value] of Object.entries(emails)) {
    if (value !== undefined && !isEmail(value)) return { problem: `${name} must be an e-mail address` }
  }
  const phone = read('COMPLAINTS_PHONE') ?? null
  if (phone !== null && !/^\+?[\d\s().-]{5,30}$/.test(phone))
    return { problem: 'COMPLAINTS_PHONE must be a telephone number, such as +62 812-3456-7890' }
  const pseNumber = read('PSE_NUMBER') ?? null
  if (pseNumber !== null && pseNumber.length > 60) return { problem: 'PSE_NUMBER must have at most 60 characters' }
  return {
    config: {
      dataOfficer: { name: read('DATA_OFFICER_NAME') ?? null, email: emails.DATA_OFFICER_EMAIL ?? null },
      pseNumber,
      complaints: { email: emails.COMPLAINTS_EMAIL ?? null, phone },
    },
  }
}
