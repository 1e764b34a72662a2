import type { Deps } from '#server/deps.ts'
import { route } from '#server/http/route.ts'
import { version } from '#server/version.ts'
import { type } from '#shared/schema.ts'

const site = type({ supportEmail: 'string' })
const running = type({ version: type('string').describe('semantic version of the program') })

export function siteRoutes({ config }: Pick<Deps, 'config'>) {
  return [
    route('readSite', 'GET /site', 'visitor', {
      summary: 'Get the public site settings',
      output: { 200: ['The settings', site] },
      handler: () => ({ supportEmail: config.supportEmail }),
    }),
    route('readVersion', 'GET /version', 'visitor', {
      summary: 'Get the running version',
      output: { 200: ['The version', running] },
      handler: () => ({ version }),
    }),
  ]
}
