import 'dart:convert';

typedef Json = Map<String, dynamic>;

/// Thrown by a handler if the user or the application declines. The mini app gets the message.
class Refusal implements Exception {
  const Refusal(this.message);
  final String message;
}

/// The application's side of the messages with /host/embed/<appid>: JSON-RPC 2.0 as text.
class EmbedProtocol {
  EmbedProtocol({
    required this.getSession,
    required this.handlers,
    required this.onNotification,
    required this.send,
  });

  static const version = 1;

  /// Returns a session of the user.
  final Future<String> Function() getSession;

  /// Handlers that replace those of the page, by the name of the method.
  final Map<String, Future<Json> Function(Json params)> handlers;

  /// Gets ready, failed, close and appearance.
  final void Function(String name, Json params) onNotification;

  /// Sends a text to the page.
  final void Function(String text) send;

  final _pending = <int, void Function(Json result)>{};
  var _calls = 0;

  /// Id in each message of the page. The frame of a mini app can send messages, too, but does not know it.
  Object? _pageId;

  /// Call it when the page starts to load.
  void reset() => _pageId = null;

  void receive(String text) {
    final message = _parse(text);
    final sender = message['pageId'];
    _pageId ??= sender;
    if (sender == null || sender != _pageId) return;
    final method = message['method'] as String?;
    final params = message['params'] as Json? ?? {};
    final id = message['id'] as int?;
    if (method == null) {
      _pending.remove(id)?.call(message['result'] as Json? ?? {});
    } else if (id == null) {
      onNotification(method, params);
    } else {
      _answer(id, method, params);
    }
  }

  /// Returns an empty map for what is not a message: the frame of a mini app can send anything.
  Json _parse(String text) {
    try {
      return jsonDecode(text) as Json;
    } catch (_) {
      return {};
    }
  }

  Future<void> _answer(int id, String method, Json params) async {
    if (method != 'initialize' && method != 'getSession' && !handlers.containsKey(method)) {
      _post({'id': id, 'error': {'code': -32601, 'message': 'The application does not implement $method.'}});
      return;
    }
    try {
      _post({'id': id, 'result': await _run(method, params)});
    } on Refusal catch (refusal) {
      _post({'id': id, 'error': {'code': 1, 'message': refusal.message}});
    } catch (_) {
      _post({'id': id, 'error': {'code': -32603, 'message': '$method failed in the application.'}});
    }
  }

  Future<Json> _run(String method, Json params) async {
    if (method == 'getSession') return {'session': await getSession()};
    if (method == 'initialize') {
      if (params['version'] != version) throw const Refusal('This application implements version $version.');
      return {'version': version, 'session': await getSession(), 'handles': handlers.keys.toList()};
    }
    return handlers[method]!(params);
  }

  /// Goes back by one page. `done` gets false if no mini app is running.
  void back(void Function(bool isHandled) done) {
    _pending[++_calls] = (result) => done(result['isHandled'] == true);
    _post({'id': _calls, 'method': 'back', 'params': <String, dynamic>{}});
  }

  void setVisible(bool isVisible) => _post({'method': 'visibility', 'params': {'isVisible': isVisible}});

  void _post(Json message) => send(jsonEncode({'jsonrpc': '2.0', ...message}));
}
