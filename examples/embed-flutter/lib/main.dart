import 'dart:convert';

import 'package:flutter/material.dart';
import 'package:flutter/services.dart';
import 'package:share_plus/share_plus.dart';
import 'package:url_launcher/url_launcher.dart';
import 'package:webview_flutter/webview_flutter.dart';

import 'embed_protocol.dart';
import 'sandbox.dart';

/// On the emulator of Android, the machine is 10.0.2.2.
const server = 'http://localhost:7070';

void main() => runApp(const MaterialApp(home: MiniApp()));

class MiniApp extends StatefulWidget {
  const MiniApp({super.key});

  @override
  State<MiniApp> createState() => _MiniAppState();
}

class _MiniAppState extends State<MiniApp> with WidgetsBindingObserver {
  final sandbox = const Sandbox(server);
  final webView = WebViewController();
  late final protocol = EmbedProtocol(
    getSession: sandbox.signIn,
    handlers: {
      'share': share,
      'shareMiniApp': shareMiniApp,
      'openUrl': openUrl,
      'askConsent': askConsent,
      'callHostFunction': callHostFunction,
    },
    onNotification: (name, _) {
      if (name == 'close') SystemNavigator.pop();
    },
    send: (text) => webView.runJavaScript('souk.receive(${jsonEncode(text)})'),
  );

  @override
  void initState() {
    super.initState();
    WidgetsBinding.instance.addObserver(this);
    open();
  }

  @override
  void dispose() {
    WidgetsBinding.instance.removeObserver(this);
    super.dispose();
  }

  Future<void> open() async {
    await webView.setJavaScriptMode(JavaScriptMode.unrestricted);
    await webView.addJavaScriptChannel('soukHost', onMessageReceived: (message) => protocol.receive(message.message));
    // The channel exists in every page: links to other sites open in the browser.
    await webView.setNavigationDelegate(NavigationDelegate(
      onPageStarted: (_) => protocol.reset(),
      onNavigationRequest: (request) => !request.isMainFrame || Uri.parse(request.url).origin == server
          ? NavigationDecision.navigate
          : NavigationDecision.prevent,
    ));
    final appid = await sandbox.findApp('Souk Coffee', await sandbox.signIn());
    await webView.loadRequest(Uri.parse('$server/host/embed/$appid'));
  }

  /// While the state is `inactive`, a dialog of the system is open, such as the one that asks for the microphone.
  @override
  void didChangeAppLifecycleState(AppLifecycleState state) =>
      protocol.setVisible(state == AppLifecycleState.resumed || state == AppLifecycleState.inactive);

  Future<Json> share(Json params) async {
    await Share.share([params['text'], params['url']].where((each) => each != '').join('\n'), subject: params['title']);
    return {};
  }

  /// Your application puts the card into a conversation. Here a bar at the bottom draws it, and opens it.
  Future<Json> shareMiniApp(Json card) async {
    final page = Uri.parse('$server/host/embed/${card['appid']}').replace(
      queryParameters: {'page': card['path'], 'from': 'card', 'extraData': card['extraData']},
    );
    ScaffoldMessenger.of(context).showSnackBar(SnackBar(
      content: Text(card['title'] as String),
      action: SnackBarAction(label: 'Open', onPressed: () => webView.loadRequest(page)),
    ));
    return {};
  }

  Future<Json> openUrl(Json params) async {
    final url = Uri.parse(params['url'] as String);
    if (!const ['https', 'http', 'tel'].contains(url.scheme)) throw const Refusal('This address cannot be opened.');
    await launchUrl(url, mode: LaunchMode.externalApplication);
    return {};
  }

  /// Functions that the operator has declared. The page has checked the input, and checks the result.
  Future<Json> callHostFunction(Json params) async {
    if (params['name'] != 'loyaltyCard') throw const Refusal('There is no such function.');
    final input = jsonDecode(params['input'] as String) as Json;
    return {
      'result': {'number': '${input['program']} 4711'},
    };
  }

  Future<Json> askConsent(Json params) async {
    final isAllowed = await showDialog<bool>(
      context: context,
      builder: (context) => AlertDialog(
        title: Text('Share with ${params['name']}?'),
        content: Text((params['scopes'] as List<dynamic>).join('\n')),
        actions: [
          TextButton(onPressed: () => Navigator.pop(context, false), child: const Text('Deny')),
          FilledButton(onPressed: () => Navigator.pop(context, true), child: const Text('Allow')),
        ],
      ),
    );
    return {'isAllowed': isAllowed ?? false};
  }

  @override
  Widget build(BuildContext context) => PopScope(
        canPop: false,
        onPopInvokedWithResult: (_, __) => protocol.back((isHandled) {
          if (!isHandled) SystemNavigator.pop();
        }),
        child: Scaffold(body: SafeArea(child: WebViewWidget(controller: webView))),
      );
}
