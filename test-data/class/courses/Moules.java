import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.Socket;

/** The maze for tests: goes east, as the course's own client does. Arguments: host, port, name. */
public class Moules {
    public static void main(String[] words) throws Exception {
        try (Socket wire = new Socket(words[0], Integer.parseInt(words[1]))) {
            BufferedReader input = new BufferedReader(new InputStreamReader(wire.getInputStream()));
            PrintWriter output = new PrintWriter(wire.getOutputStream(), true);
            output.print(words[2] + "\n");
            output.flush();
            input.readLine();
            for (String line = input.readLine(); line != null && !line.equals("FIN"); line = input.readLine()) {
                output.print("E\n");
                output.flush();
            }
        }
    }
}
