import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { licenceList, licencesOf } from '../src/scripts/licences.mjs'
import { missingOptional, withoutRegistryAddresses } from '../src/scripts/lockfile.mjs'

const root = join(import.meta.dirname, '..')
const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))

test('the lockfile has the path of each package, without a particular registry', () => {
  expect(lock, 'run node src/scripts/lockfile.mjs').toEqual(withoutRegistryAddresses(lock))
})

test('the lockfile names the binaries of every system, without which `npm ci` refuses it', () => {
  expect(missingOptional(lock), 'run npm install --package-lock-only and node src/scripts/lockfile.mjs').toEqual([])
})

test('packages inside of others, with a scope and under another name have an address, and keep the rest', () => {
  const packages = {
    '': { name: 'rupa', version: '1.0.0' },
    'node_modules/plain': { version: '1.2.3', resolved: 'https://registry.test/plain/-/plain-1.2.3.tgz' },
    'node_modules/plain/node_modules/@scope/inner': { version: '2.0.0', integrity: 'sha512-x' },
    'node_modules/alias': { name: '@other/name', version: '3.0.0-beta.1' },
  }
  const address = (path: string) => `https://registry.invalid/${path}.tgz`
  expect(withoutRegistryAddresses({ packages })).toEqual({
    packages: {
      '': { name: 'rupa', version: '1.0.0' },
      'node_modules/plain': { version: '1.2.3', resolved: address('plain/-/plain-1.2.3') },
      'node_modules/plain/node_modules/@scope/inner': {
        version: '2.0.0',
        resolved: address('@scope/inner/-/inner-2.0.0'),
        integrity: 'sha512-x',
      },
      'node_modules/alias': {
        name: '@other/name',
        version: '3.0.0-beta.1',
        resolved: address('@other/name/-/name-3.0.0-beta.1'),
      },
    },
  })
})

test('the list of licences is that of the lockfile, and every licence is one that we may use', () => {
  const list = readFileSync(join(root, 'docs', 'licences.md'), 'utf8')
  expect(list === licenceList(lock), 'run node src/scripts/lockfile.mjs').toBe(true)
  const permissive =
    /^(MIT|MIT-0|ISC|0BSD|Apache-2\.0|BSD-[23]-Clause|BlueOak-1\.0\.0|Unlicense|CC0-1\.0|CC-BY-4\.0|OFL-1\.1|Zlib|Python-2\.0)$/
  const isPermissive = (licence: string): boolean => {
    const parts = licence.replace(/[()]/g, '').split(' OR ')
    return parts.some((choice) => choice.split(' AND ').every((part) => permissive.test(part)))
  }
  // docs/licences.md explains the use of these.
  const known = /^(@img\/sharp|libheif-js$|mediabunny$|lightningcss|axe-core$)/
  const others = licencesOf(lock).filter(([name, , licence]) => !isPermissive(licence) && !known.test(name))
  expect(others).toEqual([])
})
