import 'dart:convert';

import 'package:http/http.dart' as http;

/// Signs the first mock user of a sandbox in. Your application asks its own backend for a session.
class Sandbox {
  const Sandbox(this.server);
  final String server;

  Future<String> signIn() async {
    final users = jsonDecode((await http.get(Uri.parse('$server/host/v1/sandbox/users'))).body) as List<dynamic>;
    final answer = await http.post(
      Uri.parse('$server/host/v1/sessions'),
      headers: {'Content-Type': 'application/json'},
      body: jsonEncode({'uid': users.first['uid']}),
    );
    return jsonDecode(answer.body)['session'] as String;
  }

  Future<String> findApp(String name, String session) async {
    final answer = await http.get(
      Uri.parse('$server/host/v1/apps').replace(queryParameters: {'query': name}),
      headers: {'Authorization': 'Bearer $session'},
    );
    final apps = jsonDecode(answer.body)['items'] as List<dynamic>;
    return apps.firstWhere((app) => app['name'] == name)['appid'] as String;
  }
}
