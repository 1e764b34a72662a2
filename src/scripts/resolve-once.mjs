// Node reads package.json anew for every import from a package, and drizzle-orm's has 179 KB: a
// sixth of the server's start.
import { registerHooks } from 'node:module'

const packages = new Map()
const drizzle = '/node_modules/drizzle-orm/'

registerHooks({
  resolve(specifier, context, next) {
    const { parentURL = '' } = context
    if (parentURL.includes(drizzle) && /^\..*\.js$/.test(specifier)) {
      return { url: new URL(specifier, parentURL).href, format: 'module', shortCircuit: true }
    }
    // A package may import another version of its own.
    if (!/^(?!node:)[@a-z]/.test(specifier) || parentURL.includes('/node_modules/')) return next(specifier, context)
    const known = packages.get(specifier) ?? next(specifier, context)
    packages.set(specifier, known)
    return { ...known, shortCircuit: true }
  },
})
