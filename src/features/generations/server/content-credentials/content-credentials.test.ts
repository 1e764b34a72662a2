import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { withSourceLabel } from '#engine/node/source-label.ts'
import { makeClip } from '#tests/support/clips.ts'
import { readCredentials, signing } from '#tests/support/content-credentials.ts'
import { readClip } from '#tests/support/read-clip.ts'
import { type ContentCredentials, readContentCredentials } from './credentials-config.ts'
import { signResult } from './sign-result.ts'

const credentials = readContentCredentials((name) => signing[name as keyof typeof signing], true)
  .config as ContentCredentials
const now = new Date('2030-01-01')
const source = 'compositeWithTrainedAlgorithmicMedia'
const declared = `http://cv.iptc.org/newscodes/digitalsourcetype/${source}`

/** Of odd width, so that a chunk of the WebP may need padding. */
const picture = (format: 'jpeg' | 'png' | 'webp') =>
  sharp('tests/fixtures/photos/coffee.jpg').resize(121).toFormat(format).toBuffer()

async function expectBound(signed: Uint8Array, contentType: string): Promise<void> {
  expect(await readCredentials(signed, contentType)).toEqual({ problems: [], source: declared })
  const changed = Uint8Array.from(signed)
  // Inside the picture of each format: the manifest is the last part of a WebP.
  const at = contentType === 'image/webp' ? 300 : changed.length - 40
  changed[at] = (changed[at] ?? 0) ^ 1
  const { problems } = (await readCredentials(changed, contentType)) ?? {}
  expect(problems).toEqual([expect.stringMatching(/^assertion\.(dataHash|bmffHash)\.mismatch$/)])
}

describe('a result edited by AI', () => {
  test.each([
    ['jpeg', false],
    ['png', false],
    ['webp', false],
    ['webp', true],
  ] as const)('declares it in a %s (label: %s), signed and bound to its bytes', async (format, isLabelled) => {
    const contentType = `image/${format}`
    const plain = await picture(format)
    const bytes = isLabelled ? withSourceLabel(plain, contentType, source) : plain
    const signed = await signResult({ bytes, contentType, source }, credentials, now)
    const pixels = (file: Uint8Array) => sharp(file).raw().toBuffer()
    expect(await pixels(signed)).toEqual(await pixels(bytes))
    await expectBound(signed, contentType)
  })

  test('declares it in an MP4, whose frames and sound play as before', async () => {
    const { bytes } = await makeClip({ width: 96, height: 64, seconds: 0.4, frameRate: 10 })
    const contentType = 'video/mp4'
    const labelled = withSourceLabel(bytes, contentType, source)
    const signed = await signResult({ bytes: labelled, contentType, source }, credentials, now)
    const framesOf = async (file: Uint8Array) => {
      const { times, sounds, frames } = await readClip(file)
      const luma: number[] = []
      for await (const frame of frames()) luma.push(frame.reduce((sum, value) => sum + value, 0))
      return { times, sounds: sounds.length, luma }
    }
    expect(await framesOf(signed)).toEqual(await framesOf(labelled))
    await expectBound(signed, contentType)
  })

  test('is unchanged where its format carries no manifest, or without a source', async () => {
    const jpeg = await picture('jpeg')
    for (const contentType of ['video/webm', 'application/pdf'])
      expect(await signResult({ bytes: jpeg, contentType, source }, credentials, now)).toBe(jpeg)
    expect(await signResult({ bytes: jpeg, contentType: 'image/jpeg' }, credentials, now)).toBe(jpeg)
  })

  test('is not signed with a certificate that has expired', async () => {
    const given = { bytes: await picture('jpeg'), contentType: 'image/jpeg', source } as const
    await expect(signResult(given, credentials, new Date('2200-01-01'))).rejects.toThrow('has expired')
  })
})
