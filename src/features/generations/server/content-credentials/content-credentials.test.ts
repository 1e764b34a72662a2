import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { readCredentials, signing } from '#tests/support/content-credentials.ts'
import { signPicture } from '../files/stored-files.ts'
import { type ContentCredentials, readContentCredentials } from './credentials-config.ts'

const credentials = readContentCredentials((name) => signing[name as keyof typeof signing], true)
  .config as ContentCredentials
const now = new Date('2030-01-01')
const source = 'compositeWithTrainedAlgorithmicMedia'

const picture = (format: 'jpeg' | 'png' | 'webp') =>
  sharp('tests/fixtures/photos/coffee.jpg').resize(120).toFormat(format).toBuffer()

describe('a picture edited by AI', () => {
  test.each(['jpeg', 'png'] as const)('declares it in a %s, signed and bound to its bytes', async (format) => {
    const bytes = await picture(format)
    const signed = await signPicture({ bytes, contentType: `image/${format}`, source }, credentials, now)
    expect(await readCredentials(signed)).toEqual({
      valid: true,
      source: `http://cv.iptc.org/newscodes/digitalsourcetype/${source}`,
    })
    const pixels = (file: Uint8Array) => sharp(file).raw().toBuffer()
    expect(await pixels(signed)).toEqual(await pixels(bytes))

    const changed = Uint8Array.from(signed)
    const last = changed.length - 40
    changed[last] = (changed[last] ?? 0) ^ 1
    expect((await readCredentials(changed))?.valid).toBe(false)
  })

  test('is unchanged where its format carries no manifest, or without AI', async () => {
    const [webp, jpeg] = [await picture('webp'), await picture('jpeg')]
    expect(await signPicture({ bytes: webp, contentType: 'image/webp', source }, credentials, now)).toBe(webp)
    expect(await signPicture({ bytes: jpeg, contentType: 'image/jpeg' }, credentials, now)).toBe(jpeg)
  })

  test('is not signed with a certificate that has expired', async () => {
    const given = { bytes: await picture('jpeg'), contentType: 'image/jpeg', source } as const
    await expect(signPicture(given, credentials, new Date('2200-01-01'))).rejects.toThrow('has expired')
  })
})
