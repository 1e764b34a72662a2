import type { Deps } from '#server/deps.ts'

/**
 * The simulator gives credits away, so requests from other machines do not get it unless
 * ALLOW_SIMULATOR permits. PUBLIC_URL may be missing, so the configuration alone does not suffice.
 */
export function simulatorForThisMachine(deps: Deps): (c: { var: { local: boolean } }) => Deps {
  const { config, log } = deps
  const drivers = config.payment.drivers.filter((driver) => driver !== 'simulator')
  const without = { ...deps, config: { ...config, payment: { ...config.payment, drivers } } }
  let told = false
  return (c) => {
    const { payment } = config
    if (c.var.local || payment.simulatorForAll || drivers.length === payment.drivers.length) return deps
    if (!told) {
      told = true
      log.warn(
        'the payment simulator gives credits away, so it is off for requests that come from elsewhere: set PUBLIC_URL to the address that people use, or ALLOW_SIMULATOR=1 if they may try it out',
      )
    }
    return without
  }
}
