import { expect, test } from 'vitest'
import { externalBrowserUrl, inAppBrowser } from './install.ts'

const android =
  'Mozilla/5.0 (Linux; Android 14; SM-A155F; wv) AppleWebKit/537.36 Version/4.0 Chrome/131.0 Mobile Safari/537.36'
const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/21F90'

test.each([
  [`${android} Instagram 360.0.0.52.192 Android (34/14)`, 'android'],
  [`${android} trill_2023605 BytedanceWebview/d8a21c6`, 'android'],
  [`${android} [FB_IAB/FB4A;FBAV/489.0.0.66.81;]`, 'android'],
  [`${android} Line/14.20.0/IAB`, 'android'],
  [`${iphone} Instagram 360.0.0.30.85 (iPhone14,5; iOS 17_5)`, 'ios'],
  [`${iphone} [FBAN/FBIOS;FBAV/489.0;FBDV/iPhone14,5]`, 'ios'],
  [`${iphone} musical_ly_36.5.0 BytedanceWebview/d8a21c6`, 'ios'],
  [`${iphone} Safari Line/14.20.0`, 'ios'],
  [android.replace('; wv', ''), null],
  [`${iphone} Version/17.5 Safari/604.1`, null],
  ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/131.0 Safari/537.36 Outline/1', null],
])('%s is an in-app browser on: %s', (userAgent, system) => {
  expect(inAppBrowser(userAgent)).toBe(system)
})

test('the link out of an in-app browser opens the same page in Chrome or Safari', () => {
  const page = new URL('https://rupa.example/ai-enhancement?lang=en')
  expect(externalBrowserUrl('android', page)).toBe(
    'intent://rupa.example/ai-enhancement?lang=en#Intent;scheme=https;package=com.android.chrome;S.browser_fallback_url=https%3A%2F%2Frupa.example%2Fai-enhancement%3Flang%3Den;end',
  )
  expect(externalBrowserUrl('ios', page)).toBe('x-safari-https://rupa.example/ai-enhancement?lang=en')
})
