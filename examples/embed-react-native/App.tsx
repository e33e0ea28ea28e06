import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { Alert, AppState, BackHandler, Linking, SafeAreaView, Share } from 'react-native'
import { WebView } from 'react-native-webview'
import { createProtocol, type Params, Refusal } from './embedProtocol'
import { createSandbox } from './sandbox'

/** On the emulator of Android, the machine is 10.0.2.2. */
const server = 'http://localhost:7070'
const sandbox = createSandbox(server)

async function share({ title, text, url }: Params): Promise<object> {
  await Share.share({ title: String(title), message: [text, url].filter(Boolean).join('\n') })
  return {}
}

async function openUrl({ url }: Params): Promise<object> {
  if (!/^(https?|tel):/.test(String(url))) throw new Refusal('This address cannot be opened.')
  await Linking.openURL(String(url))
  return {}
}

function askConsent({ name, scopes }: Params): Promise<object> {
  return new Promise((resolve) => {
    const answer = (isAllowed: boolean) => () => resolve({ isAllowed })
    Alert.alert(
      `Share with ${name}?`,
      (scopes as string[]).join('\n'),
      [
        { text: 'Deny', style: 'cancel', onPress: answer(false) },
        { text: 'Allow', onPress: answer(true) },
      ],
      { onDismiss: answer(false) },
    )
  })
}

/** Functions that the operator has declared. The page has checked the input, and checks the result. */
async function callHostFunction({ name, input }: Params): Promise<object> {
  if (name !== 'loyaltyCard') throw new Refusal('There is no such function.')
  const { program } = JSON.parse(String(input))
  return { result: { number: `${program} 4711` } }
}

/** Returns the address at which a card opens. */
function linkOf({ appid, path, extraData }: Params): string {
  const query = [
    `page=${encodeURIComponent(String(path))}`,
    'from=card',
    `extraData=${encodeURIComponent(String(extraData))}`,
  ]
  return `${server}/host/embed/${appid}?${query.join('&')}`
}

export default function App() {
  const webView = useRef<WebView>(null)
  const [address, setAddress] = useState('')
  /** Your application puts the card into a conversation. Here a dialog draws it, and opens it. */
  const shareMiniApp = useCallback(async (card: Params): Promise<object> => {
    Alert.alert(String(card.title), 'This card is in a conversation now.', [
      { text: 'Close', style: 'cancel' },
      { text: 'Open', onPress: () => setAddress(linkOf(card)) },
    ])
    return {}
  }, [])
  const protocol = useMemo(
    () =>
      createProtocol({
        getSession: sandbox.signIn,
        handlers: { share, shareMiniApp, openUrl, askConsent, callHostFunction },
        onNotification: (name) => name === 'close' && setAddress(''),
        send: (text) => webView.current?.injectJavaScript(`souk.receive(${JSON.stringify(text)}); true`),
      }),
    [shareMiniApp],
  )

  useEffect(() => {
    const open = async () => {
      const appid = await sandbox.findApp('Souk Coffee', await sandbox.signIn())
      setAddress(`${server}/host/embed/${appid}`)
    }
    open().catch((error) => Alert.alert(String(error)))
    // While the state is `inactive`, a dialog of the system is open, such as the one that asks for the microphone.
    const states = AppState.addEventListener('change', (state) => protocol.setVisible(state !== 'background'))
    const keys = BackHandler.addEventListener('hardwareBackPress', () => {
      void protocol.back().then((isHandled) => !isHandled && setAddress(''))
      return true
    })
    return () => {
      states.remove()
      keys.remove()
    }
  }, [protocol])

  if (address === '') return null
  return (
    <SafeAreaView style={{ flex: 1 }}>
      <WebView
        ref={webView}
        source={{ uri: address }}
        onLoadStart={protocol.reset}
        onMessage={({ nativeEvent: { url, data } }) => new URL(url).origin === server && protocol.receive(data)}
      />
    </SafeAreaView>
  )
}
